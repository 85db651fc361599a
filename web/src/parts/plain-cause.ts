/**
 * Removes Node's own text from the cause of a failed connection. For example, "the connection was refused: connect
 * ECONNREFUSED 127.0.0.1:9" becomes "the connection was refused". A server with several addresses has a cause for each
 * address.
 */
export function plainCause(text: string): string {
  const causes = text
    .split('; ')
    .map((one) => one.replace(/: (connect|getaddrinfo|read|write) E[A-Z_]+.*$/, ''))
  return [...new Set(causes)].join('; ')
}
