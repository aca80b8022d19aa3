import { takeOver } from '../../ui/take-over.tsx';
import { GradingDesk } from './grading-desk.tsx';

// At once and not when it is used: whoever opens it grades.
takeOver('grading-desk.island', GradingDesk);
