import { LiveQuery } from '#server/live/contract.ts';
import { screen } from '../lib/screen.ts';
import { OwnAddress } from '../lib/search.ts';

/** `back`: the calendar that it was entered from. */
export const liveRoom = screen('LiveRoom', '/live', 'room', { ...LiveQuery.entries, back: OwnAddress });
