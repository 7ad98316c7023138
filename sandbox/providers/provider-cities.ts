// Locations of the sandbox's validators: real cities with realistic numbers of validators, so the peer density
// statistics are not empty.

/** A city with the number of its peers. */
export type ProviderCity = {
  readonly city: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly peers: number;
};

const city = (
  name: string,
  country: string,
  latitude: number,
  longitude: number,
  peers: number,
): ProviderCity => ({ city: name, country, latitude, longitude, peers });

/**
 * 27 cities with 71 peers. The peer density statistics list only 25 cities, and some have too few peers for a
 * median. The sandbox's own validator is in the first city.
 */
export const PROVIDER_CITIES: readonly ProviderCity[] = [
  city('Frankfurt', 'Germany', 50.1109, 8.6821, 9),
  city('Amsterdam', 'The Netherlands', 52.374, 4.8897, 8),
  city('London', 'United Kingdom', 51.5074, -0.1278, 5),
  city('Ashburn', 'United States', 39.0438, -77.4874, 5),
  city('New York', 'United States', 40.7128, -74.006, 4),
  city('Tokyo', 'Japan', 35.6762, 139.6503, 4),
  city('Singapore', 'Singapore', 1.3521, 103.8198, 3),
  city('Chicago', 'United States', 41.8781, -87.6298, 3),
  city('Dublin', 'Ireland', 53.3498, -6.2603, 3),
  city('Vilnius', 'Lithuania', 54.6872, 25.2797, 3),
  city('Warsaw', 'Poland', 52.2297, 21.0122, 3),
  city('Paris', 'France', 48.8566, 2.3522, 2),
  city('Helsinki', 'Finland', 60.1699, 24.9384, 2),
  city('Stockholm', 'Sweden', 59.3293, 18.0686, 2),
  city('Zurich', 'Switzerland', 47.3769, 8.5417, 2),
  city('Prague', 'Czechia', 50.0755, 14.4378, 2),
  city('Dallas', 'United States', 32.7767, -96.797, 1),
  city('Los Angeles', 'United States', 34.0522, -118.2437, 1),
  city('Toronto', 'Canada', 43.6532, -79.3832, 1),
  city('Montreal', 'Canada', 45.5017, -73.5673, 1),
  city('São Paulo', 'Brazil', -23.5505, -46.6333, 1),
  city('Santiago', 'Chile', -33.4489, -70.6693, 1),
  city('Hong Kong', 'Hong Kong', 22.3193, 114.1694, 1),
  city('Seoul', 'South Korea', 37.5665, 126.978, 1),
  city('Sydney', 'Australia', -33.8688, 151.2093, 1),
  city('Johannesburg', 'South Africa', -26.2041, 28.0473, 1),
  city('Reykjavik', 'Iceland', 64.1466, -21.9426, 1),
];
