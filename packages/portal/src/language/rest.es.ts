/** Labels of all pages but the first. Written by `npm run goldens`: do not edit. */
export { accountLabels as account } from '../features/accounts/labels.es';
export { alertsLabels as alerts } from '../features/alerts/labels.es';
export { auditLabels as audit } from '../features/audit/labels.es';
export {
  brandLabels as brand,
  campaignLabels as campaign,
  evidenceLabels as evidence,
} from '../features/campaigns/labels.es';
export { carrierHistoryLabels as carrierHistory } from '../features/carrier-history/labels.es';
export {
  carrierLabels as carrier,
  choiceLabels as choice,
  settingLabels as setting,
} from '../features/carriers/labels.es';
export {
  cannedLabels as canned,
  contactLabels as contact,
  conversationLabels as conversation,
} from '../features/conversations/labels.es';
export { devUiLabels as devUi } from '../features/dev-ui/labels.es';
export { gameLabels as game } from '../features/handsets/games-labels.es';
export { handsetLabels as handset } from '../features/handsets/labels.es';
export { keyLabels as key } from '../features/keys/labels.es';
export { messageLabels as message } from '../features/messages/labels.es';
export {
  bulkLabels as bulk,
  refusedLabels as refused,
  searchFormLabels as searchForm,
} from '../features/messages/list-labels.es';
export {
  outcomeLabels as outcome,
  requestLabels as request,
  storyLabels as story,
} from '../features/messages/story-labels.es';
export { numberLabels as number } from '../features/numbers/labels.es';
export { optOutLabels as optOut } from '../features/opt-outs/labels.es';
export { profileLabels as profile } from '../features/profile/labels.es';
export { reasonLabels as reason } from '../features/reasons/labels.es';
export { reasonTexts } from '../features/reasons/texts.es';
export { requestsLabels as requests } from '../features/requests/labels.es';
export { routeLabels as route } from '../features/routes/labels.es';
export { settingsLabels as settings } from '../features/settings/labels.es';
export { upkeepLabels as upkeep } from '../features/settings/upkeep-labels.es';
export { resetLabels as reset } from '../features/sign-in/reset-labels.es';
export { setupLabels as setup } from '../features/sign-in/setup-labels.es';
export { ssoLabels as sso } from '../features/sign-in/sso-labels.es';
export { usageLabels as usage } from '../features/usage/labels.es';
export { webhookLabels as webhook } from '../features/webhooks/labels.es';
export { paletteLabels as palette } from '../frame/palette-labels.es';
export { chatLabels as chat } from '../ui/chat-labels.es';
export { conflictLabels as conflict } from '../ui/conflict-labels.es';
export { viewLabels as view } from '../ui/views-labels.es';
