/** How hard a question is: stars, and the word that says the same everywhere, however many stars a list shows. */
import { Stars } from '../ui/stars.tsx';
import { difficultyName } from './terms.ts';

interface DifficultyProps {
  /** `facility_value`, 1 to 5. */
  value: number;
  /** As many as the value unless a list counts them in its own way. */
  stars?: number;
}

export const Difficulty = ({ value, stars = value }: DifficultyProps) => (
  <>
    <Stars filled={stars} label={`难度 ${stars} 星`} /> {difficultyName(value)}
  </>
);
