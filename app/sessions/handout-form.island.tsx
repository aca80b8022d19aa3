import { hydrateAtOnce } from '../ui/client/hydrate-at-once.tsx';
import { HandoutForm } from './handout-form.tsx';

hydrateAtOnce('handout-form.island', HandoutForm);
