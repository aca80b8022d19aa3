import { hydrateIsland } from '../ui/client/keys/hydrate-island.ts';

hydrateIsland('post-fields.island', async () => (await import('./post-fields.tsx')).PostFields);
