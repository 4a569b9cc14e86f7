/** The English labels of every page, of the start page and of the sign-in. */
export { answerWords as answer } from '../api/labels.en';
export { figureWords as figure } from '../features/home/figures-labels.en';
export { homeWords as home } from '../features/home/labels.en';
export { quietWords as quiet } from '../features/settings/quiet-labels.en';
export { signInWords as signIn } from '../features/sign-in/labels.en';
export { passkeyWords as passkey } from '../features/sign-in/passkey-labels.en';
export { frameWords as frame, suspendedWords as suspended } from '../frame/labels.en';
export { copiedWords as copied, roleWords as role, stateWords as state, uiWords as ui } from '../ui/labels.en';
