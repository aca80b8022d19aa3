/** `npm run api`: the API alone. */
import '#server/main.ts';
