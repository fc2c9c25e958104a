/** The screens of the lab, in the order of the rail; the first is the start page. A new one is one line here. */

/** @type {import('./app/shell.js').ScreenEntry[]} */
export const SCREENS = [
  {
    name: 'inspect',
    label: 'Inspect',
    icon: 'M4 7h5v10H4zM9 7h4v10H9zM13 7h7v10h-7z',
    load: () => import('./screens/inspect/screen.js'),
  },
  {
    name: 'compare',
    label: 'Compare',
    icon: 'M4 6h7M13 6h7M4 12h4M10 12h10M4 18h11M17 18h3',
    isPresentable: true,
    load: () => import('./screens/compare/screen.js'),
  },
  {
    name: 'vocabulary',
    label: 'Vocabulary',
    icon: 'M5 6h14M5 10h9M5 14h14M5 18h9',
    load: () => import('./screens/vocabulary/screen.js'),
  },
  {
    name: 'corpus',
    label: 'Corpus',
    icon: 'M4 20h16M7 17v-5M11 17V8M15 17v-7M19 17V4',
    load: () => import('./screens/corpus/screen.js'),
  },
  {
    name: 'chat',
    label: 'Chat',
    icon: 'M4 5h12v8H9l-3 3v-3H4zM18 9h2v8h-2v3l-3-3h-4',
    hasDigit: false,
    load: () => import('./screens/chat/screen.js'),
  },
  {
    name: 'benchmark',
    label: 'Benchmark',
    icon: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
    load: () => import('./screens/benchmark/screen.js'),
  },
  {
    name: 'train',
    label: 'Train',
    icon: 'M4 5v15h16M7 8c1.5 6 5 8.5 12 9M11 7h8M15 3v8',
    load: () => import('./screens/train/screen.js'),
  },
  {
    name: 'workshop',
    label: 'Workshop',
    icon: 'M14 6a4 4 0 0 0 5 5l-8 8a2 2 0 0 1-3-3l8-8M14 6l3-2',
    hasDigit: false,
    load: () => import('./screens/workshop/screen.js'),
  },
  {
    name: 'learn',
    label: 'Learn',
    icon: 'M3 9l9-4 9 4-9 4zM7 11v5c3 2 7 2 10 0v-5',
    isPresentable: true,
    load: () => import('./screens/learn/screen.js'),
  },
  {
    name: 'library',
    label: 'Library',
    icon: 'M5 4v16M9 4v16M13 4l5 16',
    load: () => import('./screens/library/screen.js'),
  },
  {
    name: 'reports',
    label: 'Reports',
    icon: 'M6 4h9l4 4v12H6zM15 4v4h4M9 12h7M9 16h7',
    load: () => import('./screens/reports/screen.js'),
  },
];
