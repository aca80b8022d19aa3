// `npm run build`: the screens, when a source of theirs has changed.
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
