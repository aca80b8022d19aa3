import { hydrateIsland } from '../ui/hydrate-island.ts';

hydrateIsland('meeting-fields.island', async () => (await import('./meeting-fields.tsx')).MeetingFields);
