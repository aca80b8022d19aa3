/**
 * Difficulty of a question as stars and a name. The list of the question bank counts its stars the other way round
 * (`bankStars`); the name is the same everywhere.
 */
import { Stars } from '../ui/stars.tsx';
import { difficultyName } from './terms.ts';

interface DifficultyProps {
  /** `facility_value`, 1 to 5. */
  value: number;
  /** Number of filled stars. Default: the value. */
  stars?: number;
}

export const Difficulty = ({ value, stars = value }: DifficultyProps) => (
  <>
    <Stars filled={stars} label={`难度 ${stars} 星`} /> {difficultyName(value)}
  </>
);
