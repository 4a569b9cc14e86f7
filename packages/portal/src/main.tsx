/** Loads the labels of the portal's language, then the portal: its modules take their labels as they are loaded. */
import { loadLabels } from './language/labels';
import { locale } from './language/language';

document.documentElement.lang = locale;
// No await at the top: the modules of the portal may share a file with this one.
void loadLabels('start').then(() => import('./portal'));
