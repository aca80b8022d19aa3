import { takeOver } from '../ui/take-over.tsx';
import { SameScore } from './same-score.tsx';

takeOver('same-score.island', SameScore);
