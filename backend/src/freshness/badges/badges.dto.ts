import { Transform } from 'class-transformer';
import { IsString, Length } from 'class-validator';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';

export class CreateBadgeBody {
  /** The name on the badge, which everyone with its URL can read: 1 to 60 characters. Default: `data`. */
  @MayBeMissing()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, 60)
  label?: string;
}

/** A badge without its URL, of which only a hash is stored. */
export class BadgeEntry {
  id: string;
  label: string;
  createdAt: string;
  /** Name of the user who created it. */
  createdBy: string | null;
}

export class BadgeAnswer {
  /** Null: there is no badge. */
  badge: BadgeEntry | null;
}

export class NewBadge {
  /** URL of the picture. Everyone with this URL sees the badge. It cannot be returned again. */
  url: string;
  badge: BadgeEntry;
}
