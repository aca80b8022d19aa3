import { hydrateAtOnce } from '../../ui/client/hydrate-at-once.tsx';
import { islandName } from './dialogs.ts';
import { PublishScreen } from './publish-screen.tsx';

hydrateAtOnce(islandName, PublishScreen);
