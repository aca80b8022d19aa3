/**
 * Difficulty of a question: stars and its name. The name is the same everywhere; the number of stars differs by list.
 */
import { Stars } from '../ui/stars.tsx';
import { difficultyName } from './terms.ts';

interface DifficultyProps {
  /** `facility_value`, 1 to 5. */
  value: number;
  /** Number of stars; by default the value. */
  stars?: number;
}

export const Difficulty = ({ value, stars = value }: DifficultyProps) => (
  <>
    <Stars filled={stars} label={`难度 ${stars} 星`} /> {difficultyName(value)}
  </>
);
