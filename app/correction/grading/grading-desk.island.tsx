import { hydrateDrawn } from '../../ui/client/hydrate-drawn.tsx';
import { GradingDesk } from './grading-desk.tsx';

// Hydrates at once rather than on first use, because opening the desk means grading.
hydrateDrawn('grading-desk.island', GradingDesk);
