import { hydrateAtOnce } from '../../ui/client/hydrate-at-once.tsx';
import { GradingDesk } from './grading-desk.tsx';

// Hydrates at once rather than on first use, because opening the desk means grading.
hydrateAtOnce('grading-desk.island', GradingDesk);
