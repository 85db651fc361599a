/** The transfer had succeeded, and its bank sent the money back later. */
export type Returned = { readonly kind: 'returned'; readonly message: string }
