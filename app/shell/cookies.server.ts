/** Cookies for preferences of one browser. They are not secret, but scripts cannot read them. */
import { createCookie } from 'react-router';

const year = 365 * 24 * 60 * 60;
const preference = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: year } as const;

export const appearanceCookie = createCookie('appearance', preference);
export const homeworkTabCookie = createCookie('homework_tab', preference);
