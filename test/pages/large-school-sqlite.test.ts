/** @module-tag thorough */
import { answersEverythingOf } from '../support/large-school-crawl.ts';

answersEverythingOf('SQLite');
