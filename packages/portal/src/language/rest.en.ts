/** Labels of all pages but the first. Written by `npm run goldens`: do not edit. */
export { accountWords as account } from '../features/accounts/labels.en';
export { alertsWords as alerts } from '../features/alerts/labels.en';
export { auditWords as audit } from '../features/audit/labels.en';
export {
  brandWords as brand,
  campaignWords as campaign,
  evidenceWords as evidence,
} from '../features/campaigns/labels.en';
export { carrierHistoryWords as carrierHistory } from '../features/carrier-history/labels.en';
export {
  carrierWords as carrier,
  choiceWords as choice,
  settingWords as setting,
} from '../features/carriers/labels.en';
export {
  cannedWords as canned,
  contactWords as contact,
  conversationWords as conversation,
} from '../features/conversations/labels.en';
export { devUiWords as devUi } from '../features/dev-ui/labels.en';
export { gameWords as game } from '../features/handsets/games-labels.en';
export { handsetWords as handset } from '../features/handsets/labels.en';
export { keyWords as key } from '../features/keys/labels.en';
export { messageWords as message } from '../features/messages/labels.en';
export {
  bulkWords as bulk,
  refusedWords as refused,
  searchFormWords as searchForm,
} from '../features/messages/list-labels.en';
export {
  outcomeWords as outcome,
  requestWords as request,
  storyWords as story,
} from '../features/messages/story-labels.en';
export { numberWords as number } from '../features/numbers/labels.en';
export { optOutWords as optOut } from '../features/opt-outs/labels.en';
export { profileWords as profile } from '../features/profile/labels.en';
export { reasonTexts, reasonWords as reason } from '../features/reasons/labels.en';
export { requestsWords as requests } from '../features/requests/labels.en';
export { routeWords as route } from '../features/routes/labels.en';
export { settingsWords as settings } from '../features/settings/labels.en';
export { upkeepWords as upkeep } from '../features/settings/upkeep-labels.en';
export { resetWords as reset } from '../features/sign-in/reset-labels.en';
export { setupWords as setup } from '../features/sign-in/setup-labels.en';
export { ssoWords as sso } from '../features/sign-in/sso-labels.en';
export { usageWords as usage } from '../features/usage/labels.en';
export { webhookWords as webhook } from '../features/webhooks/labels.en';
export { paletteWords as palette } from '../frame/palette-labels.en';
export { chatWords as chat } from '../ui/chat-labels.en';
export { conflictWords as conflict } from '../ui/conflict-labels.en';
export { viewWords as view } from '../ui/views-labels.en';
