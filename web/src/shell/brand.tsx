import { Link } from 'wouter'

export function Brand() {
  return (
    <Link href="/" className="brand" aria-label="Tollgate">
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <rect width="24" height="24" rx="6" fill="#0f766e" />
        <path d="M6 8h12M12 8v9" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <span className="brand-name">Tollgate</span>
    </Link>
  )
}
