/** What the documentation does beyond being read: search, and copying code. */
import { addCopyButtons } from './copy';
import './docs.css';
import { setUpSearch } from './search';

addCopyButtons();
setUpSearch();
