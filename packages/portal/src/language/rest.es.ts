/** Labels of all pages but the first. Written by `npm run goldens`: do not edit. */
export { accountWords as account } from '../features/accounts/labels.es';
export { alertsWords as alerts } from '../features/alerts/labels.es';
export { auditWords as audit } from '../features/audit/labels.es';
export {
  brandWords as brand,
  campaignWords as campaign,
  evidenceWords as evidence,
} from '../features/campaigns/labels.es';
export { carrierHistoryWords as carrierHistory } from '../features/carrier-history/labels.es';
export {
  carrierWords as carrier,
  choiceWords as choice,
  settingWords as setting,
} from '../features/carriers/labels.es';
export {
  cannedWords as canned,
  contactWords as contact,
  conversationWords as conversation,
} from '../features/conversations/labels.es';
export { devUiWords as devUi } from '../features/dev-ui/labels.es';
export { gameWords as game } from '../features/handsets/games-labels.es';
export { handsetWords as handset } from '../features/handsets/labels.es';
export { keyWords as key } from '../features/keys/labels.es';
export { messageWords as message } from '../features/messages/labels.es';
export {
  bulkWords as bulk,
  refusedWords as refused,
  searchFormWords as searchForm,
} from '../features/messages/list-labels.es';
export {
  outcomeWords as outcome,
  requestWords as request,
  storyWords as story,
} from '../features/messages/story-labels.es';
export { numberWords as number } from '../features/numbers/labels.es';
export { optOutWords as optOut } from '../features/opt-outs/labels.es';
export { profileWords as profile } from '../features/profile/labels.es';
export { reasonWords as reason } from '../features/reasons/labels.es';
export { reasonTexts } from '../features/reasons/texts.es';
export { requestsWords as requests } from '../features/requests/labels.es';
export { routeWords as route } from '../features/routes/labels.es';
export { settingsWords as settings } from '../features/settings/labels.es';
export { upkeepWords as upkeep } from '../features/settings/upkeep-labels.es';
export { resetWords as reset } from '../features/sign-in/reset-labels.es';
export { setupWords as setup } from '../features/sign-in/setup-labels.es';
export { ssoWords as sso } from '../features/sign-in/sso-labels.es';
export { usageWords as usage } from '../features/usage/labels.es';
export { webhookWords as webhook } from '../features/webhooks/labels.es';
export { paletteWords as palette } from '../frame/palette-labels.es';
export { chatWords as chat } from '../ui/chat-labels.es';
export { conflictWords as conflict } from '../ui/conflict-labels.es';
export { viewWords as view } from '../ui/views-labels.es';
