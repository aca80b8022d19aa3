import { takeOver } from '../../ui/client/take-over.tsx';
import { islandName } from './dialogs.ts';
import { PublishScreen } from './publish-screen.tsx';

takeOver(islandName, PublishScreen);
