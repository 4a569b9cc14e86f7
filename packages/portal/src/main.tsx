/** Loads the labels of the portal's language, then the portal: its modules take their labels on loading. */
import { loadLabels } from './language/labels';
import { locale } from './language/language';

document.documentElement.lang = locale;
// No top-level await: modules of the portal may share a file with this one.
void loadLabels('start').then(() => import('./portal'));
