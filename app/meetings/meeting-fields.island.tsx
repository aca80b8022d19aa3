import { hydrateIsland } from '../ui/client/keys/hydrate-island.ts';

hydrateIsland('meeting-fields.island', async () => (await import('./meeting-fields.tsx')).MeetingFields);
