/** Labels of all pages but the first. Written by `npm run goldens`: do not edit. */
export { accountLabels as account } from '../features/accounts/labels.en';
export { alertsLabels as alerts } from '../features/alerts/labels.en';
export { auditLabels as audit } from '../features/audit/labels.en';
export {
  brandLabels as brand,
  campaignLabels as campaign,
  evidenceLabels as evidence,
} from '../features/campaigns/labels.en';
export { carrierHistoryLabels as carrierHistory } from '../features/carrier-history/labels.en';
export {
  carrierLabels as carrier,
  choiceLabels as choice,
  settingLabels as setting,
} from '../features/carriers/labels.en';
export {
  cannedLabels as canned,
  contactLabels as contact,
  conversationLabels as conversation,
} from '../features/conversations/labels.en';
export { devUiLabels as devUi } from '../features/dev-ui/labels.en';
export { gameLabels as game } from '../features/handsets/games-labels.en';
export { handsetLabels as handset } from '../features/handsets/labels.en';
export { keyLabels as key } from '../features/keys/labels.en';
export { messageLabels as message } from '../features/messages/labels.en';
export {
  bulkLabels as bulk,
  refusedLabels as refused,
  searchFormLabels as searchForm,
} from '../features/messages/list-labels.en';
export {
  outcomeLabels as outcome,
  requestLabels as request,
  storyLabels as story,
} from '../features/messages/story-labels.en';
export { numberLabels as number } from '../features/numbers/labels.en';
export { optOutLabels as optOut } from '../features/opt-outs/labels.en';
export { profileLabels as profile } from '../features/profile/labels.en';
export { reasonLabels as reason, reasonTexts } from '../features/reasons/labels.en';
export { requestsLabels as requests } from '../features/requests/labels.en';
export { routeLabels as route } from '../features/routes/labels.en';
export { settingsLabels as settings } from '../features/settings/labels.en';
export { upkeepLabels as upkeep } from '../features/settings/upkeep-labels.en';
export { resetLabels as reset } from '../features/sign-in/reset-labels.en';
export { setupLabels as setup } from '../features/sign-in/setup-labels.en';
export { ssoLabels as sso } from '../features/sign-in/sso-labels.en';
export { usageLabels as usage } from '../features/usage/labels.en';
export { webhookLabels as webhook } from '../features/webhooks/labels.en';
export { paletteLabels as palette } from '../frame/palette-labels.en';
export { chatLabels as chat } from '../ui/chat-labels.en';
export { conflictLabels as conflict } from '../ui/conflict-labels.en';
export { viewLabels as view } from '../ui/views-labels.en';
