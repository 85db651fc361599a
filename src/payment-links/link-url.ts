export function linkUrl(baseUrl: string, linkId: string): string {
  return `${baseUrl}/link/${linkId}`
}
