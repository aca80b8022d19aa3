/**
 * Difficulty of a question as stars and a name. Lists differ in the number of stars, but the name is always the same.
 */
import { Stars } from '../ui/stars.tsx';
import { difficultyName } from './terms.ts';

interface DifficultyProps {
  /** `facility_value`, 1 to 5. */
  value: number;
  /** Number of stars. Default: the value. */
  stars?: number;
}

export const Difficulty = ({ value, stars = value }: DifficultyProps) => (
  <>
    <Stars filled={stars} label={`难度 ${stars} 星`} /> {difficultyName(value)}
  </>
);
