/** As what somebody of the staff signs in: a lecturer or a teaching assistant. */
export type Identity = 'teacher' | 'assist';
