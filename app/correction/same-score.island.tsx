import { takeOver } from '../ui/client/take-over.tsx';
import { SameScore } from './same-score.tsx';

takeOver('same-score.island', SameScore);
