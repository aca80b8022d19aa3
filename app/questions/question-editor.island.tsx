import { takeOver } from '../ui/client/hydrate-drawn.tsx';
import { QuestionEditor } from './question-editor.tsx';

takeOver('question-editor.island', QuestionEditor);
