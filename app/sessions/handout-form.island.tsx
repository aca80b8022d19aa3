import { takeOver } from '../ui/client/take-over.tsx';
import { HandoutForm } from './handout-form.tsx';

takeOver('handout-form.island', HandoutForm);
