import { hydrateDrawn } from '../../ui/client/hydrate-drawn.tsx';
import { GradingDesk } from './grading-desk.tsx';

// At once and not when it is used: whoever opens it grades.
hydrateDrawn('grading-desk.island', GradingDesk);
