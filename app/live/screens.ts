import { LiveQuery } from '#server/live/contract.ts';
import { screen } from '../lib/screen.ts';
import { ReturnAddress } from '../lib/search.ts';

/** `back` is the address of the calendar to return to. */
export const liveRoom = screen('LiveRoom', '/live', 'room', { ...LiveQuery.entries, back: ReturnAddress });
