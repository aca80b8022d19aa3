import { hydrateDrawn } from '../ui/client/hydrate-drawn.tsx';
import { EqualScore } from './equal-score.tsx';

hydrateDrawn('equal-score.island', EqualScore);
