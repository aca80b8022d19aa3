import { hydrateIsland } from '../ui/hydrate-island.ts';

hydrateIsland('post-fields.island', async () => (await import('./post-fields.tsx')).PostFields);
