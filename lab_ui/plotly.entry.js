/**
 * What the page uses of Plotly. `build_vendor.mjs` bundles it into `vendor/plotly.js`, which `js/ui/chart.js` loads
 * when a chart is shown. The core has the trace `scatter`; none of these needs code made from text, which the page's
 * policy would refuse.
 *
 * Not part of the page itself. Add a trace here when a chart needs it, then run `npm run build`.
 */
import Plotly from 'plotly.js/lib/core';
import bar from 'plotly.js/lib/bar';
import heatmap from 'plotly.js/lib/heatmap';
import histogram from 'plotly.js/lib/histogram';

Plotly.register([bar, heatmap, histogram]);

export default Plotly;
