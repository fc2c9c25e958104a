/** Starts the lab: which screens there are, in which order. */
import { Lab } from './app/lab.js';
import { CompareView } from './screens/compare/screen.js';
import { InspectView } from './screens/inspect/screen.js';
import { LibraryView } from './screens/library/screen.js';
import { VocabularyView } from './screens/vocabulary/screen.js';
import { ReportsView } from './screens/reports/screen.js';

const meta = name => document.querySelector(`meta[name=${name}]`).getAttribute('content');

await new Lab(meta('csp-nonce'), Number(meta('max-request-bytes'))).start([
  { name: 'inspect', label: 'Inspect', View: InspectView },
  { name: 'compare', label: 'Compare', View: CompareView },
  { name: 'vocabulary', label: 'Vocabulary', View: VocabularyView },
  { name: 'library', label: 'Library', View: LibraryView },
  { name: 'reports', label: 'Reports', View: ReportsView },
]);
