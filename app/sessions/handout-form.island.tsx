import { hydrateDrawn } from '../ui/client/hydrate-drawn.tsx';
import { HandoutForm } from './handout-form.tsx';

hydrateDrawn('handout-form.island', HandoutForm);
