import { hydrateAtOnce } from '../ui/client/hydrate-at-once.tsx';
import { EqualScore } from './equal-score.tsx';

hydrateAtOnce('equal-score.island', EqualScore);
