import { takeOver } from '../ui/client/hydrate-drawn.tsx';
import { HandoutForm } from './handout-form.tsx';

takeOver('handout-form.island', HandoutForm);
