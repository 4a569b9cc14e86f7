/** The script of the documentation: search, copying code, and the trials of the reference. */
import { addCopyButtons } from './copy';
import './docs.css';
import { setUpReference } from './reference';
import { setUpSearch } from './search';

const panel = document.querySelector<HTMLFormElement>('.credentials form');
if (panel === null) addCopyButtons();
else setUpReference(panel);
setUpSearch();
