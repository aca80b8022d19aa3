import { hydrateDrawn } from '../../ui/client/hydrate-drawn.tsx';
import { islandName } from './dialogs.ts';
import { PublishScreen } from './publish-screen.tsx';

hydrateDrawn(islandName, PublishScreen);
