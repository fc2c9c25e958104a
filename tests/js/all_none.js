import { runAll } from './all.js';

runAll('none');
