/**
 * The cause of a failed connection without Node's own text: "the connection was refused" for "the connection was
 * refused: connect ECONNREFUSED 127.0.0.1:9". A server with several addresses fails once for each of them.
 */
export function plainCause(text: string): string {
  const causes = text
    .split('; ')
    .map((one) => one.replace(/: (connect|getaddrinfo|read|write) E[A-Z_]+.*$/, ''))
  return [...new Set(causes)].join('; ')
}
