// `npm run build`: builds the screens if their sources have changed.
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
