import { runAll } from './all.js';

runAll('page1');
