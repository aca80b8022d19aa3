import { takeOver } from '../ui/take-over.tsx';
import { HandoutForm } from './handout-form.tsx';

takeOver('handout-form.island', HandoutForm);
