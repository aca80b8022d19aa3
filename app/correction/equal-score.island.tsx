import { takeOver } from '../ui/client/hydrate-drawn.tsx';
import { SameScore } from './equal-score.tsx';

takeOver('same-score.island', SameScore);
