/** Starts the lab: which screens there are, in which order. */
import { Lab } from './lab.js';
import { CompareView } from './views/compare.js';
import { InspectView } from './views/inspect.js';
import { LibraryView } from './views/library.js';
import { VocabularyView } from './views/vocabulary.js';
import { ReportsView } from './views/reports.js';

const meta = name => document.querySelector(`meta[name=${name}]`).getAttribute('content');

await new Lab(meta('csp-nonce'), Number(meta('max-request-bytes'))).start([
  { name: 'inspect', label: 'Inspect', View: InspectView },
  { name: 'compare', label: 'Compare', View: CompareView },
  { name: 'vocabulary', label: 'Vocabulary', View: VocabularyView },
  { name: 'library', label: 'Library', View: LibraryView },
  { name: 'reports', label: 'Reports', View: ReportsView },
]);
