// The router requires an entry file for the browser build. No page loads this one: client JS is in islands.
export {};
